import type { GlobalConfig } from 'jest';
import { buildBundle } from '../../operator/bundle/build-bundle';
import { buildPage } from '../../page/bundle/build-page';
import { isProgram, programPath } from './cluster/assets';
import { createRunDirectory } from './cluster/run-directory';
import { GO_TOOL_NAMES, goTool } from './go-tools';

/** The filters that leave out all tests that use Go tools. */
const WITHOUT_GO_TOOLS = ['quick.js', 'part-other.js'];

/**
 * Makes room for the clusters of this run, and builds the operator, the report's script and, unless only tests run that
 * use none, the Go tools.
 */
export default async function setUp({ filter }: GlobalConfig): Promise<void> {
  createRunDirectory();
  await buildOrReport(buildBundle);
  await buildOrReport(buildPage);
  if (!WITHOUT_GO_TOOLS.some((name) => filter?.endsWith(name))) buildGoTools();
}

/** Tests run what is bundled, and the library carries it. */
async function buildOrReport(build: () => Promise<unknown>): Promise<void> {
  try {
    await build();
  } catch (error) {
    // Tests of other parts are not to fail; those that need it run what was built before, or find nothing.
    report(error);
  }
}

/** Before the first test: that takes longer than a test may, and workers would build them twice. */
function buildGoTools(): void {
  for (const name of GO_TOOL_NAMES) {
    try {
      if (isProgram(name)) programPath(name);
      else goTool(name);
    } catch (error) {
      // Only the tests that need the tool are to fail; they will, with the same message.
      report(error);
    }
  }
}

function report(error: unknown): void {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
}
