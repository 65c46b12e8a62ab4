import { buildBundle } from './build-bundle';

// What `npm run bundle` does, which other scripts run first: nothing, where nothing changed.
buildBundle().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
