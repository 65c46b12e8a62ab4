import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import json from 'highlight.js/lib/languages/json';
import lua from 'highlight.js/lib/languages/lua';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from './html';

const LANGUAGES = { diff, json, lua, sh: bash, ts: typescript, yaml };

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Finds the page of an exported name, relative to the page of the code. */
export type LinkName = (name: string) => string | undefined;

/** Code as HTML: coloured, and in TypeScript with names that lead to the reference. */
export function highlight(code: string, language: string, linkName: LinkName): string {
  if (!(language in LANGUAGES)) return escapeHtml(code);
  const html = hljs.highlight(code, { language }).value;
  return language === 'ts' ? withLinks(html, linkName) : html;
}

function withLinks(html: string, linkName: LinkName): string {
  let isQuoted = 0;
  return html
    .split(/(<[^>]+>)/)
    .map((part) => {
      if (/^<span class="hljs-(?:string|comment|regexp)/.test(part)) isQuoted = 1;
      else if (part.startsWith('<span') && isQuoted > 0) isQuoted += 1;
      else if (part === '</span>' && isQuoted > 0) isQuoted -= 1;
      if (part.startsWith('<') || isQuoted > 0) return part;
      return part.replace(/(?<![\w.&#])[A-Za-z_]\w*(?![\w;])|(?<![\w.&#])[A-Za-z_]\w*(?=;)/g, (name) => {
        const target = linkName(name);
        return target === undefined ? name : `<a class="name" href="${escapeHtml(target)}">${name}</a>`;
      });
    })
    .join('');
}
