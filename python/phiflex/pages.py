"""HTML for notebooks."""

from __future__ import annotations

import html


def framed(page: str, height: int = 640) -> str:
    """A self-contained page in a frame of its own, which cannot reach the notebook around it."""
    return (f'<iframe sandbox="allow-scripts" style="width:100%;height:{height}px;border:0" '
            f'srcdoc="{html.escape(page, quote=True)}"></iframe>')
