import assert from 'node:assert/strict';
import { it } from 'node:test';
import pureLoader from './pure-loader.ts';

it('marks components and contexts of a library as free of effects', () => {
  assert.equal(
    pureLoader(
      ['var Form = React10.forwardRef(', '  () => null', ');', 'Form.displayName = "Form";', 'track();'].join('\n'),
    ),
    ['var Form = /*#__PURE__*/ React10.forwardRef(', '  () => null', ');', '', 'track();'].join('\n'),
  );
});
