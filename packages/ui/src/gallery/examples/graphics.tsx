import { iconShapes } from '../../icon-shapes.ts';
import { Icon, Logo, LogoMark } from '../../index.ts';
import { laterIconShapes } from '../../later-icon-shapes.ts';
import type { Examples } from '../example.ts';

/** Brand and icons. */
export const graphics = {
  Logo: { Large: () => <Logo size={56} /> },
  LogoMark: { Default: () => <LogoMark /> },
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
