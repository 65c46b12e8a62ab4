import type { Plugin } from 'esbuild';

/**
 * What stands in the place of modules, by the end of their path. A module that imports more of them than is here makes
 * the build fail, and a call of what is left out fails at once and says why.
 */
const REPLACED: readonly (readonly [end: string, contents: string])[] = [
  // The whole package is imported for its KubeConfig.
  ['/@kubernetes/client-node/dist/index.js', "export { KubeConfig } from './config.js';"],
  // KubeConfig makes clients of the generated APIs (1,000 files), and undici's dispatchers for them. The operator makes
  // its own requests, with the options that KubeConfig gives for node:https.
  ['/@kubernetes/client-node/dist/gen/index.js', `${leftOut('createConfiguration')} ${leftOut('ServerConfiguration')}`],
  ['/node_modules/undici/index.js', `${leftOut('Agent')} ${leftOut('ProxyAgent')}`],
];

function leftOut(name: string): string {
  return `export class ${name} { constructor() { throw new Error('${name} is not part of the bundled operator'); } }`;
}

/**
 * Leaves out of the bundle what the operator does not use of @kubernetes/client-node: nearly all of it. esbuild cannot
 * tell by itself, since the package does not say that its modules are free of side effects.
 */
export function onlyKubeConfigOfClientNode(): Plugin {
  return {
    name: 'only-kube-config-of-client-node',
    setup(build) {
      build.onLoad({ filter: /[\\/]@kubernetes[\\/]client-node[\\/]|[\\/]undici[\\/]/ }, ({ path }) => {
        const file = path.replaceAll('\\', '/');
        const contents = REPLACED.find(([end]) => file.endsWith(end))?.[1];
        return contents === undefined ? undefined : { contents, loader: 'js' };
      });
    },
  };
}
