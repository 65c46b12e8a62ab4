import { defineConfig } from 'vitepress';
import { gitHubAnchor } from '../anchors.js';
import { readAsGitHub } from '../github-markdown.mjs';

/** The settings that tools/site/main.ts passes. */
const { root, sources, out, base, repository, pages, sidebar, version } = JSON.parse(process.env.SITE ?? '{}');

export default defineConfig({
  title: 'cdk8s-linkerd',
  description: 'A Linkerd service mesh as typed cdk8s constructs',
  srcDir: sources,
  outDir: out,
  cacheDir: `${sources}-cache`,
  base,
  markdown: {
    anchor: { slugify: gitHubAnchor },
    config: (markdown) => readAsGitHub(markdown, { root, address: repository, pages }),
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Start here', link: '/docs/start-here.md' },
      { text: 'Reference', link: '/reference/index.md' },
      { text: version, link: '/CHANGELOG.md' },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
    ...(repository && { socialLinks: [{ icon: 'github', link: repository }] }),
  },
});
