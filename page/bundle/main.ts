import { buildPage } from './build-page';

// Run by scripts of package.json before whatever needs the page.
buildPage().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
