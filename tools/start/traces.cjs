const { readFileSync } = require('node:fs');
const { SourceMap } = require('node:module');
const { dirname, resolve } = require('node:path');

/**
 * Makes stack traces name the sources of a bundle. It reads the source map only for the first trace, because reading
 * takes longer than most programs run.
 *
 * @param {string} bundle
 */
function traceSources(bundle) {
  /** @type {SourceMap | undefined} */
  let map;
  Error.prepareStackTrace = (error, frames) => {
    map ??= new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
    const known = map;
    return [titleOf(error), ...frames.map((frame) => `    at ${described(frame, bundle, known)}`)].join('\n');
  };
}

/** @param {NodeJS.CallSite} frame @param {string} bundle @param {SourceMap} map */
function described(frame, bundle, map) {
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  if (frame.getFileName() !== bundle || line === null || column === null) return String(frame);
  // The first line of the bundle was added after the map was made.
  const origin = map.findOrigin(line - 1, column);
  if (!('fileName' in origin)) return String(frame);
  const place = `${resolve(dirname(bundle), origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
  return String(frame).replace(`${bundle}:${line}:${column}`, place);
}

/** @param {Error} error whose `toString` may throw */
function titleOf(error) {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

module.exports = { traceSources };
