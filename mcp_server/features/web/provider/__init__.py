"""OpenAI's web_search tool: request, response, citations and cost."""
