import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertRule } from '#kubernetes/monitoring';
import { goTool } from './go-tools';

const PROMTOOL = goTool('promtool');

/** A group of rules of a PrometheusRule. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly object[];
}

/** Alerts, and samples from the start of a test on. */
export interface Scenario {
  readonly alerts: readonly AlertRule[];
  /** Samples by series, in the notation of promtool: `{ 'up{job="a"}': '1x5 _x3 0+2x10' }`. */
  readonly series: Readonly<Record<string, string>>;
  /**
   * The time between two samples, and between two evaluations.
   *
   * @default '1m'
   */
  readonly interval?: string;
}

/** A scenario, and by time since the start, the expected number of firing instances of each alert. */
export interface PlayedScenario extends Scenario {
  readonly firing: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The output of promtool's check of rules; empty if it succeeds. */
export function checkRules(groups: readonly RuleGroup[]): string {
  const { status, output } = promtool(['check', 'rules', '--lint=all', '--lint-fatal', 'rules.json'], {
    'rules.json': { groups },
  });
  return status === 0 ? '' : output;
}

/** Evaluates the alerts of each scenario with promtool. Returns its output for each; empty if the expectations hold. */
export function playScenarios(scenarios: readonly PlayedScenario[]): readonly string[] {
  return runTests(
    scenarios.map(({ firing, ...scenario }) => [
      scenario,
      {
        promql_expr_test: Object.entries(firing).map(([time, expected]) => ({
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: time,
          exp_samples: Object.entries(expected).map(([alertname, value]) => ({
            labels: `{alertname="${alertname}"}`,
            value,
          })),
        })),
      },
    ]),
  );
}

/** The output of promtool about the alerts of each scenario that fire at a time, with their texts. */
export function printAlerts(scenarios: readonly (Scenario & { readonly at: string })[]): readonly string[] {
  return runTests(
    scenarios.map(({ at, ...scenario }) => [
      scenario,
      {
        // promtool prints alerts that are not expected.
        alert_rule_test: [...new Set(scenario.alerts.map(({ alert }) => alert))].map((alertname) => ({
          alertname,
          eval_time: at,
          exp_alerts: [],
        })),
      },
    ]),
  );
}

/** The output of each test; empty if it succeeds. */
function runTests(tests: readonly (readonly [Scenario, object])[]): readonly string[] {
  const files = tests.flatMap(([{ alerts, series, interval = '1m' }, test], index) => {
    const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }));
    return [
      [`rules-${index}.json`, { groups: [{ name: 'alerts', rules: alerts }] }],
      [
        `test-${index}.json`,
        {
          rule_files: [`rules-${index}.json`],
          evaluation_interval: interval,
          tests: [{ interval, input_series, ...test }],
        },
      ],
    ] as const;
  });
  const names = tests.map((_, index) => `test-${index}.json`);
  const { output } = promtool(['test', 'rules', ...names], Object.fromEntries(files));
  const sections = output.split(/^ {2}(?=SUCCESS$|FAILED:$)/m).slice(1);
  if (sections.length !== tests.length) throw new Error(output);
  return sections.map((section) => (section.trim() === 'SUCCESS' ? '' : section));
}

function promtool(args: readonly string[], files: Readonly<Record<string, unknown>>) {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
    const path = join(folder, 'output');
    // Both streams go to one file: names of tests are in stdout, their failures in stderr.
    const output = openSync(path, 'w');
    const { status } = spawnSync(PROMTOOL, args, { cwd: folder, stdio: ['ignore', output, output] });
    closeSync(output);
    return { status, output: readFileSync(path, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
