"""Use cases of the bottom app. Facts change here, in one transaction, with one audit event each."""
