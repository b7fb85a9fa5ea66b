"""The lab's pages: /lab/. Each shows a document of figures; none computes a study."""

from django.urls import path

from ratings.views import lab

app_name = "lab"
urlpatterns = [
    path("", lab.index, name="index"),
]
