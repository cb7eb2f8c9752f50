"""What stands before every upstream: limits, a circuit breaker, retries, a cache, and one request for equal calls."""
