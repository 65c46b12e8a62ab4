import { buildPage } from './build-page';

// Scripts of package.json run this before programs that need the page.
buildPage().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
