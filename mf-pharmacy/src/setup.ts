import './calls.ts';
import './fonts/taka-sign.css';
import './styles.css';
