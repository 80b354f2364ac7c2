"""What `sam local invoke` needs on this machine: a container engine, an image of Lambda's Python, servers in reach."""
