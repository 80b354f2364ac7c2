"""What the use cases need of the outside world. Every method raises StoreError when its dependency fails.

Nothing here crosses an organization: each call names one, by itself or in its Scope.
"""
