const { mkdirSync, realpathSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');

const FOLDER = join(__dirname, '..', '..', '.cache');
mkdirSync(FOLDER, { recursive: true });
// Yarn's Plug'n'Play does not follow a symbolic link.
const CACHE = realpathSync(FOLDER);

/**
 * Cache folders of programs that tests start. They are in the checkout, because tests must not change other folders.
 * Programs still read their settings, such as registries and proxies, from the home folder.
 */
const CACHES = {
  XDG_CACHE_HOME: join(CACHE, 'home', 'cache'),
  XDG_CONFIG_HOME: join(CACHE, 'home', 'config'),
  XDG_DATA_HOME: join(CACHE, 'home', 'data'),
  XDG_STATE_HOME: join(CACHE, 'home', 'state'),
  npm_config_cache: join(CACHE, 'home', 'npm'),
  YARN_GLOBAL_FOLDER: join(CACHE, 'home', 'yarn'),
  KUBECACHEDIR: join(CACHE, 'home', 'kube'),
  // A folder from the environment takes precedence.
  GOCACHE: process.env.GOCACHE || join(CACHE, 'go', 'build'),
  GOMODCACHE: process.env.GOMODCACHE || join(CACHE, 'go', 'modules'),
  // Only on Linux does Go look for its settings in XDG_CONFIG_HOME.
  ...(process.platform === 'linux' && {
    GOENV: process.env.GOENV || join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'go', 'env'),
  }),
};

module.exports = { CACHES };
