"""OpenAI's web_search: the request, the answer, its citations, what it costs."""
