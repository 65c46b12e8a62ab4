import { createHash } from 'node:crypto';
import { type Html, html, raw } from './html';

/** A page as one file. */
export interface HtmlPage {
  readonly title: string;
  readonly style: string;
  /** The only script that may run in the page; the body contains it. */
  readonly script?: string;
  /** Data URL of the page's icon. */
  readonly icon?: string;
  readonly body: Html;
}

/** Renders a self-contained page: a browser loads no other file, and runs no other script. */
export function htmlPage({ title, style, script, icon, body }: HtmlPage): Html {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    ...(icon === undefined ? [] : ['img-src data:']),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${icon !== undefined && html`<link rel="icon" href="${raw(icon)}">\n`}<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
