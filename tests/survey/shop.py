"""A small shop on Laravel with the layout ``src/<Context>/{App,Domain}``: there is no folder ``app``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

COMPOSER = """{
    "name": "acme/shop",
    "type": "project",
    "description": "Orders and invoices.",
    "require": {
        "php": "^8.3",
        "laravel/framework": "^11.0",
        "acme/money": "*"
    },
    "require-dev": {
        "phpunit/phpunit": "^11.0"
    },
    "autoload": {
        "psr-4": {
            "Billing\\\\App\\\\": "src/Billing/App/",
            "Billing\\\\Domain\\\\": "src/Billing/Domain/",
            "Catalog\\\\": "src/Catalog/",
            "Gone\\\\": "src/Gone/"
        }
    },
    "scripts": {
        "test": "phpunit --colors=always",
        "post-autoload-dump": "@php artisan package:discover"
    }
}
"""

FILES = {
    "composer.json": COMPOSER,
    "artisan": "#!/usr/bin/env php\n<?php\nrequire 'vendor/autoload.php';\n",
    "public/index.php": "<?php\n\n$app = require __DIR__.'/../bootstrap/app.php';\n$app->handleRequest(request());\n",
    "routes/web.php": "<?php\n\nRoute::get('/', fn () => view('home'));\n",
    "src/Billing/App/IssueInvoice.php": "<?php\n\nnamespace Billing\\App;\n\nfinal class IssueInvoice\n{\n}\n",
    "src/Billing/Domain/Invoice.php": "<?php\n\nnamespace Billing\\Domain;\n\nfinal class Invoice\n{\n}\n",
    "src/Billing/Domain/InvoiceNumber.php": "<?php\n\nnamespace Billing\\Domain;\n\nfinal class InvoiceNumber\n{\n}\n",
    "src/Catalog/App/ListProducts.php": "<?php\n\nnamespace Catalog\\App;\n\nfinal class ListProducts\n{\n}\n",
    "src/Catalog/Domain/Product.php": "<?php\n\nnamespace Catalog\\Domain;\n\nfinal class Product\n{\n}\n",
    "Dockerfile": 'FROM php:latest\nCOPY . /srv\nCMD ["php", "artisan", "serve"]\n',
    ".gitignore": "/vendor\n.env\n",
    "vendor/laravel/framework/README.md": "# Laravel\n\n## About Laravel\n\nA framework.\n\n```\n# no heading\n```\n",
    "vendor/acme/money/README.md": "# Money\n\n## Rounding\n",
    "vendor/acme/money/docs/formats.md": "# Formats\n",
    "vendor/someone/else/README.md": "# Not asked for\n",
    "vendor/laravel/framework/src/Kernel.php": "<?php\n",
}


def build(root: Path) -> Path:
    """Write the shop below a folder."""
    for path, content in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    return root
