import './calls.ts';
import './styles.css';
