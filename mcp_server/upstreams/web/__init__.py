"""Web search by a model of OpenAI: the wire in `client`, the answer in `reading`, the rules in `service`."""
