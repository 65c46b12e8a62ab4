import type { Problem } from '#base/findings/problem';
import { PROXY_VALUE_FINDINGS } from './findings';

const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'off'];

/**
 * Checks a log filter for what the proxy can parse. Filters are those of Rust's tracing crate, like the mesh's default
 * `warn,linkerd=info,hickory=error`: a level for everything, and levels for single modules after an equals sign.
 *
 * Also refuses a module without a level, which the crate reads as "everything": a mistyped level looks the same.
 */
export function checkLogLevel(field: string, filter: string): readonly Problem[] {
  const wrong = filter.split(',').filter((directive) => !isDirective(directive));
  if (wrong.length === 0) return [];
  return [
    PROXY_VALUE_FINDINGS.logFilterRefused(
      { field, filter, wrong: `"${wrong.join('", "')}"`, levels: LEVELS.join(', ') },
      { about: field },
    ),
  ];
}

function isDirective(text: string): boolean {
  const equals = text.lastIndexOf('=');
  return equals !== 0 && LEVELS.includes(text.slice(equals + 1).toLowerCase());
}
