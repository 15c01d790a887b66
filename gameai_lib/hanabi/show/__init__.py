"""What draws: views of hands and beliefs, and the explorable figures of the chapter."""
