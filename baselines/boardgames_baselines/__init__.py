"""What agents are compared with: reference learners, papers and other packages."""
