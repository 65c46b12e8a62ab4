import type { Plugin } from 'esbuild';

/**
 * The contents that stand in the place of modules, by the end of their path. A module that imports more of them than is
 * here makes the build fail, and a call of what is left out fails at once and says why.
 */
const REPLACED: readonly (readonly [end: string, contents: string])[] = [
  // The whole package is imported for its KubeConfig.
  ['/@kubernetes/client-node/dist/index.js', "export { findHomeDir, KubeConfig } from './config.js';"],
  // The operator reads kubeconfigs with the YAML parser that it has for values, and gives KubeConfig their JSON.
  ['/js-yaml/dist/js-yaml.mjs', 'export const load = JSON.parse;'],
  // KubeConfig makes clients of the generated APIs (1,000 files), and undici's dispatchers for them. The operator makes
  // its own requests, with the options that KubeConfig gives for node:https.
  ['/@kubernetes/client-node/dist/gen/index.js', leftOut('createConfiguration', 'ServerConfiguration')],
  ['/node_modules/undici/index.js', leftOut('Agent', 'ProxyAgent')],
  // Connections through proxies, which the operator refuses by name when it reads a kubeconfig.
  ['/node_modules/socks/build/index.js', leftOut('SocksClient')],
  ['/node_modules/socks-proxy-agent/dist/index.js', leftOut('SocksProxyAgent')],
  ['/node_modules/hpagent/index.mjs', leftOut('HttpProxyAgent', 'HttpsProxyAgent')],
  // What renews the tokens of auth providers that kubectl has not had since 1.26, and that of `oidc`.
  ['/node_modules/jsonpath-plus/dist/index-node-esm.js', cannotRenew('JSONPath')],
  [
    '/node_modules/openid-client/build/index.js',
    `${cannotRenew('discovery', 'refreshTokenGrant')} export const customFetch = Symbol('customFetch');`,
  ],
  // Of the metrics there are four kinds of things; others bring a digest, an HTTP client and the cluster module along.
  [
    '/node_modules/prom-client/index.js',
    `exports.Registry = require('./lib/registry');
    exports.Counter = require('./lib/counter');
    exports.Gauge = require('./lib/gauge');
    exports.Histogram = require('./lib/histogram');
    exports.collectDefaultMetrics = require('./lib/defaultMetrics');`,
  ],
  // For exemplars, of which the operator has none.
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

/** Tells whether something else stands in the place of a module, by its path. */
export function isReplaced(path: string): boolean {
  return replacementOf(path) !== undefined;
}

function replacementOf(path: string): string | undefined {
  const file = `/${path.replaceAll('\\', '/')}`;
  return REPLACED.find(([end]) => file.endsWith(end))?.[1];
}

/**
 * Leaves out of the bundle what the operator does not use of packages. esbuild cannot tell by itself, since they do not
 * say that their modules are free of side effects, or use it in a method that no module calls.
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
