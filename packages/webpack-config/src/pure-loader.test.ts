import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import pureLoader from './pure-loader.ts';

it('marks components and contexts of a library as free of effects', () => {
  assert.equal(
    pureLoader(
      ['var Form = React10.forwardRef(', '  () => null', ');', 'Form.displayName = "Form";', 'track();'].join('\n'),
    ),
    ['var Form = /*#__PURE__*/ React10.forwardRef(', '  () => null', ');', '', 'track();'].join('\n'),
  );
});

it('leaves out of today’s router what only a data router needs', () => {
  const folder = path.dirname(fileURLToPath(import.meta.resolve('react-router/package.json')));
  const source = globSync(path.join(folder, 'dist/production/chunk-*.mjs'))
    .map((file) => readFileSync(file, 'utf8'))
    .find((text) => text.includes('function _renderMatches('));
  assert.ok(source);
  const small = pureLoader(source);
  assert.match(small, /function _renderMatches\([^)]*\) \{\s+const dataRouterState = undefined;/);
  assert.match(small, /function useNavigate\(\) \{[^}]*\}[^}]*return useNavigateUnstable\(\);/);
  assert.doesNotMatch(small, /^RenderErrorBoundary\./m);
});
