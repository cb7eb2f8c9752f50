"""The guard before every upstream: cache, single flight, rate limiter, circuit breaker and retries."""
