"""`manage.py benchmark web`: what the club's pages cost on the server they run on."""
