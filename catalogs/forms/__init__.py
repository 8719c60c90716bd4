"""What people type on the pages of catalogs. Forms read and check; nothing here stores."""
