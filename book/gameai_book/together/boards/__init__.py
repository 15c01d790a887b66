"""The boards of the chapter that joins the rooms."""
