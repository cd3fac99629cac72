"""The pages of the application, a module each."""
