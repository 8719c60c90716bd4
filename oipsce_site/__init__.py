"""The site: settings, entry points and the ground that both applications stand on."""
