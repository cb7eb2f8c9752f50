"""Running Trawl: images, charts, and a cluster without Docker."""
