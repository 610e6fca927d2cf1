"""Language model services, each vendor's protocol behind one provider."""
