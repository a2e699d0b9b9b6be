import { addCalls } from '@clinic/app-kit';
import { routes } from '@clinic/contracts';
import './styles.css';

// The shell may be of the previous release, whose client knows fewer calls than these pages make.
addCalls(routes);
