import { buildBundle } from '../../operator/bundle/build-bundle';
import { isProgram, programPath } from './cluster/assets';
import { createRunDirectory } from './cluster/run-directory';
import { GO_TOOL_NAMES, goTool } from './go-tools';

/** Makes room for the clusters of this run, and builds the operator and the Go tools. */
export default async function setUp(): Promise<void> {
  createRunDirectory();
  await buildOperator();
  buildGoTools();
}

/** Tests run the bundled operator, and the library carries it. */
async function buildOperator(): Promise<void> {
  try {
    await buildBundle();
  } catch (error) {
    // Tests of other parts are not to fail; those that need the operator run the one of before, or find none.
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
