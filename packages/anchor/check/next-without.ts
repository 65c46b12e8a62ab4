import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import { build, type PluginBuild } from 'esbuild';
import { type Guard, WITHOUT_GUARD } from './guards';
import type { Decide } from './scenario';

/** Compiles `next` without a guard: with the change that removes the guard from its sources. */
export async function nextWithout(guard: Guard): Promise<Decide> {
  const { file, from, to } = WITHOUT_GUARD[guard];
  const setup = ({ onLoad }: PluginBuild) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path !== resolve(file)) return undefined;
      return { contents: readFileSync(path, 'utf8').replace(from, () => to), loader: 'ts' };
    });
  const { outputFiles } = await build({
    entryPoints: ['packages/anchor/rotation/next.ts'],
    bundle: true,
    platform: 'node',
    write: false,
    logLevel: 'error',
    plugins: [{ name: 'without-guard', setup }],
  });
  const module = { exports: {} as { readonly next: Decide } };
  compileFunction(outputFiles[0]?.text ?? '', ['module', 'require'])(module, require);
  return module.exports.next;
}
