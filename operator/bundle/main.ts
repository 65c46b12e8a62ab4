import { buildBundle } from './build-bundle';

// npm scripts run this first. It does nothing if the bundle is up to date.
buildBundle().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
