import type { Plugin } from 'esbuild';

/**
 * The replacements of modules, by the end of their path. The build fails if a module imports a name that its
 * replacement does not export. A call of a left-out function throws an error with the reason.
 */
const REPLACED: readonly (readonly [end: string, contents: string])[] = [
  // Of this package, the operator uses only KubeConfig.
  ['/@kubernetes/client-node/dist/index.js', "export { findHomeDir, KubeConfig } from './config.js';"],
  // The operator reads kubeconfigs with the YAML parser that it has for values, and passes them to KubeConfig as JSON.
  ['/js-yaml/dist/js-yaml.mjs', 'export const load = JSON.parse;'],
  // KubeConfig creates clients of the generated APIs (1,000 files), with dispatchers of undici. The operator sends its
  // own requests, with the options of KubeConfig for node:https.
  ['/@kubernetes/client-node/dist/gen/index.js', leftOut('createConfiguration', 'ServerConfiguration')],
  ['/node_modules/undici/index.js', leftOut('Agent', 'ProxyAgent')],
  // Connections through proxies: the operator refuses a kubeconfig with a proxy-url.
  ['/node_modules/socks/build/index.js', leftOut('SocksClient')],
  ['/node_modules/socks-proxy-agent/dist/index.js', leftOut('SocksProxyAgent')],
  ['/node_modules/hpagent/index.mjs', leftOut('HttpProxyAgent', 'HttpsProxyAgent')],
  // Renewal of tokens by auth providers: by `oidc`, and by those that kubectl removed in 1.26.
  ['/node_modules/jsonpath-plus/dist/index-node-esm.js', cannotRenew('JSONPath')],
  [
    '/node_modules/openid-client/build/index.js',
    `${cannotRenew('discovery', 'refreshTokenGrant')} export const customFetch = Symbol('customFetch');`,
  ],
  // The operator uses only these exports. Others would add a digest, an HTTP client and the cluster module.
  [
    '/node_modules/prom-client/index.js',
    `exports.Registry = require('./lib/registry');
    exports.Counter = require('./lib/counter');
    exports.Gauge = require('./lib/gauge');
    exports.Histogram = require('./lib/histogram');
    exports.collectDefaultMetrics = require('./lib/defaultMetrics');`,
  ],
  // For exemplars, which the operator does not use.
  ['/node_modules/@opentelemetry/api/dist/index.cjs', leftOut('trace', 'context')],
];

function leftOut(...names: string[]): string {
  return failing(names, (name) => `${name} is not part of the bundled operator`);
}

function cannotRenew(...names: string[]): string {
  return failing(
    names,
    () => 'The bundled operator cannot renew the token of an auth-provider: use exec in the kubeconfig',
  );
}

function failing(names: readonly string[], message: (name: string) => string): string {
  return names
    .map((name) => `export function ${name}() { throw new Error(${JSON.stringify(message(name))}); }`)
    .join('\n');
}

/** Whether a module is replaced, by its path. */
export function isReplaced(path: string): boolean {
  return replacementOf(path) !== undefined;
}

function replacementOf(path: string): string | undefined {
  const file = `/${path.replaceAll('\\', '/')}`;
  return REPLACED.find(([end]) => file.endsWith(end))?.[1];
}

/**
 * Leaves code of packages that the operator does not use out of the bundle. esbuild cannot find it: the packages do not
 * declare that their modules have no side effects, or use the code in methods that no module calls.
 */
export function slimPackages(): Plugin {
  return {
    name: 'slim-packages',
    setup(build) {
      build.onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path }) => {
        const contents = replacementOf(path);
        return contents === undefined ? undefined : { contents, loader: 'js' };
      });
    },
  };
}
