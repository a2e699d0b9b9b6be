import { iconShapes } from '../../icon-shapes.ts';
import { Icon } from '../../index.ts';
import { laterIconShapes } from '../../later-icon-shapes.ts';
import type { Examples } from '../example.ts';

/** The icons there are. */
export const graphics = {
  Icon: {
    'All names': () => (
      <>
        {Object.keys({ ...iconShapes, ...laterIconShapes }).map((name) => (
          <Icon key={name} name={name} label={name} size={24} />
        ))}
      </>
    ),
  },
} satisfies Examples;
