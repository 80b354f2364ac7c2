"""AWS services, signed and called; boto3 is loaded only where its weight is earned."""
