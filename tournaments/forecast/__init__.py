"""What will come of an event, as probabilities: pure, the generator of random numbers is handed in."""
