"""The authorization code flow of a command: sends the user's browser to the issuer, and waits for its return."""

import asyncio
from collections.abc import Callable

from app.auth.login.attempt import Attempt, new_secret
from app.auth.login.callback import Callback
from app.auth.login.sign_in_place import SignInPlace
from app.auth.login.token_request import IssuedTokens
from app.auth.oidc.issuer_http import IssuerHttp


async def authorize(
    http: IssuerHttp, place: SignInPlace, scope: str, open_browser: Callable[[str], object]
) -> IssuedTokens:
    """Send the user's browser to the issuer, wait for its return, and change the code for tokens."""
    state = new_secret()
    async with Callback(state) as callback:
        attempt = Attempt(callback.redirect_uri, state)
        # In a thread: a browser in the terminal returns when it ends, and needs its answer before.
        await asyncio.to_thread(open_browser, attempt.address(place, scope))
        answer = await callback.wait()
    return await attempt.finish(http, place, answer)
