"""What compliance officers count: samples that are never mixed, intervals, periods of time."""
