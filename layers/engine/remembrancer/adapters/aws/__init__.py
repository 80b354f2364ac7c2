"""AWS services, signed and called; boto3 is imported only for SQS."""
