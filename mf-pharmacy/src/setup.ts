import './fonts/taka-sign.css';
import './styles.css';
