import { GO_TOOL_NAMES, goTool } from './go-tools';

/** Builds the Go tools before the first test: that takes longer than a test may, and workers would build them twice. */
export default function buildGoTools(): void {
  for (const name of GO_TOOL_NAMES) {
    try {
      goTool(name);
    } catch (error) {
      // Only the tests that need the tool are to fail; they will, with the same message.
      console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
