const { mkdirSync, realpathSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');

const FOLDER = join(__dirname, '..', '..', '.cache');
mkdirSync(FOLDER, { recursive: true });
// Yarn's Plug'n'Play finds nothing behind a link.
const CACHE = realpathSync(FOLDER);

/**
 * Folders for what programs that tests start keep for later: in the checkout, as nothing else on the machine is the
 * tests' to change. Their settings, such as registries and proxies, are still read from the home folder.
 */
const CACHES = {
  XDG_CACHE_HOME: join(CACHE, 'home', 'cache'),
  XDG_CONFIG_HOME: join(CACHE, 'home', 'config'),
  XDG_DATA_HOME: join(CACHE, 'home', 'data'),
  XDG_STATE_HOME: join(CACHE, 'home', 'state'),
  npm_config_cache: join(CACHE, 'home', 'npm'),
  YARN_GLOBAL_FOLDER: join(CACHE, 'home', 'yarn'),
  KUBECACHEDIR: join(CACHE, 'home', 'kube'),
  // A folder that somebody names is meant.
  GOCACHE: process.env.GOCACHE || join(CACHE, 'go', 'build'),
  GOMODCACHE: process.env.GOMODCACHE || join(CACHE, 'go', 'modules'),
  // Elsewhere, Go does not look for its settings in XDG_CONFIG_HOME.
  ...(process.platform === 'linux' && {
    GOENV: process.env.GOENV || join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'go', 'env'),
  }),
};

module.exports = { CACHES };
