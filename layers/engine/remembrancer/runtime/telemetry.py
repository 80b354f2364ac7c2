"""Metrics in CloudWatch's embedded metric format; dimensions are names of things, never ids or text."""


def count(name: str, **dimensions: str) -> None:
    """One more of `name`."""
    # Loaded with the first metric: nothing on a good request's path needs it.
    from aws_lambda_powertools import single_metric  # noqa: PLC0415
    from aws_lambda_powertools.metrics import MetricUnit  # noqa: PLC0415

    with single_metric(name=name, unit=MetricUnit.Count, value=1, namespace="Remembrancer") as metric:
        for key, value in dimensions.items():
            metric.add_dimension(key, value)
