import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { GlobalConfig } from 'jest';
import { buildBundle } from '../../operator/bundle/build-bundle';
import { buildPage } from '../../page/bundle/build-page';
import { isProgram, programPath } from './cluster/assets';
import { createRunDirectory } from './cluster/run-directory';
import { GO_TOOL_NAMES, goTool } from './go-tools';
import { usesGoTools } from './parts.js';

/**
 * Makes room for the clusters of this run, and builds the operator, the report's script and, if a test that runs uses
 * them, the Go tools.
 */
export default async function setUp(config: GlobalConfig): Promise<void> {
  createRunDirectory();
  await buildOrReport(buildBundle);
  await buildOrReport(buildPage);
  if (chosenTests(config).some(usesGoTools)) buildGoTools();
}

/** The tests that the command line chooses, as far as Jest tells: by patterns and a filter. */
function chosenTests({ rootDir, testPathPatterns, filter }: GlobalConfig): readonly string[] {
  const patterns = testPathPatterns.toExecutor({ rootDir });
  const paths = globSync(join(rootDir, 'test/**/*.test.ts')).filter((path) => patterns.isMatch(path));
  return filter === undefined ? paths : require(filter)(paths).filtered;
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
