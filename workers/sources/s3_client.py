"""Clients of S3: with a team's own credentials and endpoint, or with those of the process (`AWS_*`)."""

from typing import TYPE_CHECKING

from workers.sources.rights import S3Settings

if TYPE_CHECKING:
    from types_boto3_s3.client import S3Client


def open_client(settings: S3Settings | None, *, attempts: int = 3) -> "S3Client":
    """Create a client without a request; raises what boto3 raises. It is slow to import, so it is imported here."""
    import boto3  # noqa: PLC0415 (see above)
    from botocore import UNSIGNED  # noqa: PLC0415 (see above)
    from botocore.config import Config  # noqa: PLC0415 (see above)

    given = settings or S3Settings()
    secret, token = given.secret_access_key, given.session_token
    config = Config(
        connect_timeout=10,
        read_timeout=30,
        max_pool_connections=16,
        retries={"mode": "standard", "max_attempts": attempts},
        # A team's credentials must not go to an endpoint that the environment names.
        ignore_configured_endpoint_urls=secret is not None,  # type: ignore[call-arg] # the stubs lack it
    )
    if not given.signed:
        # A loopback address has no subdomains for buckets.
        config = config.merge(Config(signature_version=UNSIGNED, s3={"addressing_style": "path"}))
    return boto3.session.Session().client(
        "s3",
        config=config,
        endpoint_url=given.endpoint_url,
        region_name=given.region,
        aws_access_key_id=given.access_key_id,
        aws_secret_access_key=None if secret is None else secret.get_secret_value(),
        aws_session_token=None if token is None else token.get_secret_value(),
    )
