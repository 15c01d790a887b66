"""What draws: views of boards, patterns and ratings, and the chapter's figures."""
