"""Settings by place of use: dev (also the demo), test, prod; base is common to all."""
