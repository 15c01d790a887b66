"""What the scripts of ``measure`` have stored."""
