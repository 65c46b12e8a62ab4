import { define } from '../go/define';
import { basePath } from '../go/path';
import type { GoFunctions } from '../go/values';

/** Returns the shortest equivalent path, as Go's `path.Clean` does. Node.js' `normalize` takes quadratic time. */
function clean(path: string): string {
  const isAbsolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isAbsolute) parts.push(part);
  }
  const cleaned = parts.join('/');
  if (isAbsolute) return `/${cleaned}`;
  return cleaned === '' ? '.' : cleaned;
}

function dir(path: string): string {
  return clean(path.slice(0, path.lastIndexOf('/') + 1));
}

function ext(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? name.slice(name.lastIndexOf('.')) : '';
}

const functions = {
  base: define(['string'], ([path]) => basePath(path)),
  dir: define(['string'], ([path]) => dir(path)),
  clean: define(['string'], ([path]) => clean(path)),
  ext: define(['string'], ([path]) => ext(path)),
  isAbs: define(['string'], ([path]) => path.startsWith('/')),
};

/** Functions of paths. Those for paths of the operating system behave as on Linux, on any machine. */
export const pathFunctions: GoFunctions = new Map(
  Object.entries({
    ...functions,
    osBase: functions.base,
    osDir: functions.dir,
    osClean: functions.clean,
    osExt: functions.ext,
    osIsAbs: functions.isAbs,
  }),
);
